/** Warns of defaults that are convenient at first but insecure on a platform with several organizations. */

interface OpenDefault {
  variable: 'NUMBERS' | 'SIP_INBOUND_ADDRESSES';
  /** The consequence of the default. */
  opens: string;
  remedy: string;
}

/** `inboundAddresses` is null if calls don't go through LiveKit. */
export function openDefaults({
  registeredOnly,
  inboundAddresses,
}: {
  registeredOnly: boolean;
  inboundAddresses: readonly string[] | null;
}): OpenDefault[] {
  const found: OpenDefault[] = [];
  if (!registeredOnly)
    found.push({
      variable: 'NUMBERS',
      opens:
        'each organization can call from and answer every number that no other organization has registered',
      remedy: 'register the numbers (npm run admin -- number import) and set NUMBERS=registered',
    });
  if (inboundAddresses?.length === 0)
    found.push({
      variable: 'SIP_INBOUND_ADDRESSES',
      opens: "anyone can call the platform's numbers over SIP",
      remedy: "set SIP_INBOUND_ADDRESSES to the addresses of the trunk's provider",
    });
  return found;
}

/** Logs one line with the remedy for each open default. */
export function warnOfOpenDefaults(
  log: { warn(fields: Record<string, unknown>, sentence: string): void },
  settings: Parameters<typeof openDefaults>[0],
): void {
  for (const { variable, opens, remedy } of openDefaults(settings)) {
    log.warn({ variable }, `${opens}: ${remedy}`);
  }
}
