"""ConfigBox: a store for products that are configured before they are sold."""

__version__ = "0.1.0"

try:
    import MySQLdb  # noqa: F401
except ImportError:
    # PyMySQL is the documented fallback where mysqlclient cannot be compiled; SQLite needs neither.
    try:
        import pymysql
    except ImportError:
        pass
    else:
        pymysql.install_as_MySQLdb()
