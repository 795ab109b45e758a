# Stands in for livekit/sip:<version> if the machine has no bridge. It never responds, and the steps that need it are skipped.
FROM compose-test/bookworm
ENTRYPOINT ["sleep", "infinity"]
