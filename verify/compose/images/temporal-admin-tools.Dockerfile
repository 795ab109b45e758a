# Stands in for temporalio/admin-tools:<version>: the schema tool and the command line.
FROM compose-test/bookworm
RUN useradd --uid 1000 temporal
COPY temporal-sql-tool temporal /usr/local/bin/
CMD ["sleep", "infinity"]
