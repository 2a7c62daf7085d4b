"""English texts that can be said in other languages, because they know how they were made."""

from collections.abc import Mapping


class Phrase(str):
    """A text in English, with the key and the values to say it in another language.

    Args:
        key: Its key among the phrases.
        template: The text in English, with placeholders.
        values: Values of the placeholders: texts, such as phrases, or tuples of names.
    """

    key: str
    values: Mapping[str, object]

    def __new__(cls, key: str, template: str, **values: object) -> "Phrase":
        """Return the text with its placeholders filled."""
        shown = {
            name: " and ".join(value) if isinstance(value, tuple) else value
            for name, value in values.items()
        }
        made = super().__new__(cls, template.format_map(shown))
        made.key, made.values = key, values
        return made
