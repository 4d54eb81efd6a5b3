"""Programs of other people: started, limited, watched and ended. Begin with ``program_process``."""
