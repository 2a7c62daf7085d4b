"""The verbs that look back: `history`, `show`, `replay`, `bundle`, `import`."""
