"""The pages of the panel, as functions of the view."""
