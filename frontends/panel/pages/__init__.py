"""The pages of the panel: what there is to show as a function of the view."""
