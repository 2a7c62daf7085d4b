"""Charts of solves."""

import math
import xml.etree.ElementTree as ET

import numpy as np
from journal_rows import row, solves

from thistlebot.history.charts import Days, blocks, chart_svg
from thistlebot.history.statistics import Solves, Summary, last_days
from thistlebot.journal.rows import Outcome

SVG = "{http://www.w3.org/2000/svg}"


def drawn(count: int) -> tuple[Solves, Days]:
    """Solves of 1 to `count` seconds on two days, the last one stopped."""
    rows = [
        row(
            number,
            began=row(0).began + 86_400 * (number > count // 2),
            seconds=float(number),
            first_right=number % 2 == 0,
            outcome=Outcome.STOPPED if number == count else Outcome.VERIFIED,
        )
        for number in range(1, count + 1)
    ]
    found = solves(*rows)
    return found, [(day, Summary.of(those)) for day, those in last_days(found, 9)][::-1]


def test_blocks_rise_with_the_values() -> None:
    assert blocks(np.array([0.0, 0.5, 1.0, math.inf, math.nan]), 0.0, 1.0) == "▁▅█× "
    assert blocks(np.array([2.0, 2.0]), 2.0, 2.0) == "▁▁"


def test_the_picture_has_a_dot_for_each_time_and_the_average_of_twelve() -> None:
    picture = ET.fromstring(chart_svg(*drawn(16)))
    assert len(picture.findall(f"{SVG}circle")) == 15
    (line,) = picture.findall(f"{SVG}polyline")
    assert len(line.get("points", "").split()) == 5
    assert len(picture.findall(f"{SVG}rect")) == 1 + 2
    titles = [title.text for title in picture.iter(f"{SVG}title")]
    assert all(str(title).endswith(": 50%") for title in titles)
    assert ET.fromstring(chart_svg(*drawn(0))).findall(f"{SVG}circle") == []
