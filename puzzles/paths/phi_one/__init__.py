"""Two states without quarter turns of F and B (S3's Φ1) in, a shortest way between them out."""
