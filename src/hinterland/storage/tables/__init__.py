"""Finished games as tables: Parquet, Arrow, CSV or lines of JSON, with a row a game, a move or a seat.

May touch files, the records and, once a table is asked for, pyarrow and polars; knows no process, socket or page.
Begin with ``record_rows.py``, which says what stands in a row.
"""
