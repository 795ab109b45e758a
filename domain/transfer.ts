/** Decides where a call may be transferred to. Runs when a configuration is written and again at the transfer. */
import { isJsonObject, valueAt, type JsonObject } from './json';
import type { ResolvedConfig } from './agent-config';
import { maskPhone, normaliseNetworkNumber, normalisePhone, type PhoneRules } from './phone-number';

export interface TransferRules extends PhoneRules {
  /** Allowed domains of SIP addresses, in lower case. Subdomains are not included. */
  transferSipDomains: readonly string[];
}

interface TransferDestination {
  /** A `tel:` URI with an E.164 number, or a SIP address. */
  address: string;
  /** In E.164. Also set for a SIP address whose user is a number. */
  number: string | null;
  /** The masked number or the domain, for the audit log. */
  shown: string;
}

/** Allows only the parameter `transport`, because `maddr` or a `Route` header would send the call elsewhere. */
const SIP =
  /^(sips?):([A-Za-z0-9._+-]{1,64})@([A-Za-z0-9.-]{1,253})(:\d{1,5})?(;transport=(?:udp|tcp|tls))?$/i;

/** A fault doesn't contain the destination. */
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
  if (domain === '')
    return { fault: 'must be a SIP address with a user and a domain, such as sip:desk@example.com' };
  if (!rules.transferSipDomains.includes(domain)) return { fault: 'has a SIP domain that is not allowed' };
  const number = isNumber(user) ? normaliseNetworkNumber(user, rules) : null;
  if (number !== null && 'fault' in number) return number;
  return { address: text, number: number?.e164 ?? null, shown: `sip:${domain}` };
}

/** If a text is not a phone number, returns why, in clearer words than the number's own rules. Null if it may be one. */
function faultOfWords(text: string): string | null {
  if (text.includes('@')) return 'must start with sip: if it is a SIP address';
  if (/[;,]/.test(text)) return 'has parameters or extra digits, which a transfer cannot dial';
  if (/\p{L}/u.test(text)) return 'is neither a phone number nor a SIP address';
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  return digits > 0 && digits < MIN_DIGITS
    ? 'is an extension; use a SIP address with an allowed domain instead'
    : null;
}

/** A shorter number is an extension or local to a network. */
const MIN_DIGITS = 7;

/** Returns whether a gateway would dial the user part as a phone number. An extension has fewer digits, and a name contains letters. */
const isNumber = (user: string): boolean =>
  user.startsWith('+') || (/^[\d._+-]+$/.test(user) && user.replace(/\D/g, '').length >= 7);

/**
 * Returns whether a text is a destination, rather than the name of an action or a sentence. A short number without words is an extension.
 * Digits of any script count.
 */
const isDestination = (text: string): boolean =>
  /^\s*(?:tel|callto|sips?):/i.test(text) ||
  text.includes('@') ||
  (/\p{Nd}/u.test(text) && !/\p{L}/u.test(text)) ||
  (/^[\s(+\uff0b]*\p{Nd}/u.test(text) && (text.match(/\p{Nd}/gu)?.length ?? 0) >= 5);

interface PlacedDestination {
  place: (string | number)[];
  to: string;
}

/** Returns the destinations in a section with their paths. In an action of type `transfer`, any string is a destination. */
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

/** Returns whether the agent's configuration contains the destination in any spelling. Other transfers are forbidden. */
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
