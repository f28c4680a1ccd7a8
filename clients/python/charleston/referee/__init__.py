"""The generated code of the referee's protocol."""
