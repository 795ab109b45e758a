# Stands in for livekit/sip:<version> where the machine has no bridge: nothing answers, and the steps that need it are skipped.
FROM compose-test/bookworm
ENTRYPOINT ["sleep", "infinity"]
