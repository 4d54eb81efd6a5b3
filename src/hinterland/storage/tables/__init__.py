"""Finished games as tables: Parquet, Arrow, CSV or lines of JSON, with one row for each game, move or seat.

The package uses files and records, and for tables pyarrow and polars, but no process, socket or page.
Begin with ``record_rows.py``, which defines the rows.
"""
