"""The texts of the panel and the worksheets, in all languages: keys in, texts out."""
