"""What `charleston check` is made of: what it reads, how it judges many at once, what it expects, and its reports."""
