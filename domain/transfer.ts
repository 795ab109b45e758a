/** Where a call may be transferred to: decided when a configuration is written, and again when the transfer happens. */
import { isJsonObject, valueAt, type JsonObject } from './json';
import type { ResolvedConfig } from './agent-config';
import { maskPhone, normaliseNetworkNumber, normalisePhone, type PhoneRules } from './phone-number';

export interface TransferRules extends PhoneRules {
  /** Domains of SIP addresses, in lower case; a domain does not allow those below it. */
  transferSipDomains: readonly string[];
}

export interface TransferDestination {
  /** What the telephone network is asked for: `tel:` with E.164, or a SIP address. */
  address: string;
  /** E.164; of a SIP address whose user is such a number too. */
  number: string | null;
  /** For the audit: the masked number, or the domain. */
  shown: string;
}

/** Neither headers nor parameters but the transport: `maddr` or `Route` would send the call elsewhere. */
const SIP =
  /^(sips?):([A-Za-z0-9._+-]{1,64})@([A-Za-z0-9.-]{1,253})(:\d{1,5})?(;transport=(?:udp|tcp|tls))?$/i;

/** The fault is a short reason for people, without the destination in it. */
export function readTransferDestination(
  to: string,
  rules: TransferRules,
): TransferDestination | { fault: string } {
  const text = to.trim();
  if (!/^sips?:/i.test(text)) {
    const number = text.replace(/^tel:/i, '');
    const reading = normalisePhone(number, rules);
    if ('fault' in reading) return { fault: faultOfWords(number) ?? reading.fault };
    return { address: `tel:${reading.e164}`, number: reading.e164, shown: maskPhone(reading.e164) };
  }
  const [, , user = '', host = ''] = SIP.exec(text) ?? [];
  const domain = host.toLowerCase();
  if (domain === '') return { fault: 'is not a SIP address of a user and a domain alone' };
  if (!rules.transferSipDomains.includes(domain))
    return { fault: 'is a SIP address of a domain that is not allowed' };
  const number = isNumber(user) ? normaliseNetworkNumber(user, rules) : null;
  if (number !== null && 'fault' in number) return number;
  return { address: text, number: number?.e164 ?? null, shown: `sip:${domain}` };
}

/** Why a text is no phone number, where that is plainer than what the number's own rules say; null elsewhere. */
function faultOfWords(text: string): string | null {
  if (text.includes('@')) return 'is an address without sip: before it';
  if (/[;,]/.test(text)) return 'has parameters or digits to dial later, which a transfer cannot send';
  if (/\p{L}/u.test(text)) return 'is neither a phone number nor a SIP address';
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  return digits > 0 && digits < LEAST_DIGITS
    ? 'is an extension, which only a SIP address with an allowed domain can reach'
    : null;
}

/** Shorter numbers are extensions or local to a network. */
const LEAST_DIGITS = 7;

/** Whether a gateway on the domain would dial the user as a number of the telephone network: an extension has fewer digits, a name has letters. */
const isNumber = (user: string): boolean =>
  user.startsWith('+') || (/^[\d._+-]+$/.test(user) && user.replace(/\D/g, '').length >= 7);

/**
 * Whether a text is meant as a destination, and not as the name of an action or as other words. A short number without a word is an
 * extension. Extensions behind a number and digits of other scripts count.
 */
const isDestination = (text: string): boolean =>
  /^\s*(?:tel|callto|sips?):/i.test(text) ||
  text.includes('@') ||
  (/\p{Nd}/u.test(text) && !/\p{L}/u.test(text)) ||
  (/^[\s(+\uff0b]*\p{Nd}/u.test(text) && (text.match(/\p{Nd}/gu)?.length ?? 0) >= 5);

export interface PlacedDestination {
  place: (string | number)[];
  to: string;
}

/** The destinations in a section, with where they stand. Any text is one in an action that says that it transfers. */
export function destinationsIn(section: 'persona' | 'training', sent: JsonObject): PlacedDestination[] {
  const [path, entries]: [string[], [string | number, unknown][]] =
    section === 'persona'
      ? [['actions'], entriesOf(sent.actions)]
      : [
          ['know_how', 'guardrails', 'custom_rules'],
          entriesOf(valueAt(sent, 'know_how', 'guardrails', 'custom_rules')),
        ];
  const field = section === 'persona' ? 'to' : 'transfer_to';
  return entries.flatMap(([key, entry]) => {
    if (!isJsonObject(entry)) return [];
    const to = entry[field];
    if (typeof to !== 'string' || to.trim() === '') return [];
    const isTransfer = section === 'persona' && entry.type === 'transfer';
    return isTransfer || isDestination(to) ? [{ place: [...path, key, field], to }] : [];
  });
}

const entriesOf = (value: unknown): [string | number, unknown][] => {
  if (Array.isArray(value)) return [...value.entries()];
  return isJsonObject(value) ? Object.entries(value) : [];
};

/** Whether the agent's configuration names the destination, in whatever spelling: nothing else may be what a call is transferred to. */
export function mayTransferTo(
  { persona, training }: Pick<ResolvedConfig, 'persona' | 'training'>,
  { address }: TransferDestination,
  rules: TransferRules,
): boolean {
  const named = [
    ...Object.values(persona.actions).flatMap((action) =>
      action !== null && action.enabled && action.type === 'transfer' ? [action.to] : [],
    ),
    ...training.know_how.guardrails.custom_rules.flatMap((rule) =>
      rule.active && rule.handlingType === 'transfer' ? [rule.transfer_to] : [],
    ),
  ];
  return named.some((to) => {
    const reading = readTransferDestination(to, rules);
    return 'address' in reading && reading.address === address;
  });
}
