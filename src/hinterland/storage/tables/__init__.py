"""Finished games as tables: Parquet, Arrow, CSV or lines of JSON, with one row for each game, move or seat.

Uses files, records and, once a table is wanted, pyarrow and polars; knows no process, socket or page.
Begin with ``record_rows.py``, which defines the rows.
"""
