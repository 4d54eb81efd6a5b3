"""The league of gravity: how strong the player ``search`` is against opponents of many ideas, on many boards."""
