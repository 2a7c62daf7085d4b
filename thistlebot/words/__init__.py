"""What the panel and the worksheets say, in all their languages: keys in, texts out."""
