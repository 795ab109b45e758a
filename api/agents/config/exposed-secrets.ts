/**
 * Finds secrets in the `url` or `body` of an action, which are stored and shown unencrypted. Reports only what is certainly a secret,
 * because a false alarm would reject a valid configuration. Values filled in by a variable are fine.
 */
import type { SectionName } from '../../../domain/agent-config';
import { isJsonObject, valueAt } from '../../../domain/json';
import type { InputFault } from '../../http/errors/api-error';

const EXPOSED =
  'contains a secret, but this field is stored and shown in plain text; send the secret in a header such as Authorization, which is encrypted and masked, or use a {{variable}}';

/** Matches names without separators, so `api_key` and `apiKey` are equal. A page token is a position in a list, not a secret. */
const SECRET_NAME =
  /((?<!page|next|continuation|sync)token|secret|passw(or)?d|passphrase|pwd|apikey|accesskey|privatekey|secretkey|authkey|credentials?|authorization|signature|jwt)$/;
/**
 * These names are suspicious only in a URL and only if the value contains a digit, because `key=customer` names a field. In a body they are
 * ordinary field names.
 */
const SECRET_PARAMETER = /^(key|auth|sig|pass)$/;

/** Known formats of API keys and tokens, and values of an Authorization header. */
const SECRET_TEXT = new RegExp(
  [
    String.raw`\bsk-[\w-]{16,}`,
    String.raw`\b[rs]k_(live|test)_\w{10,}`,
    String.raw`\b(gh[oprsu]|github_pat)_\w{20,}`,
    String.raw`\bglpat-[\w-]{16,}`,
    String.raw`\bxox[abeprs]-[\w-]{10,}`,
    String.raw`\b(AKIA|ASIA)[0-9A-Z]{16}\b`,
    String.raw`\bAIza[\w-]{30,}`,
    String.raw`\bSG\.[\w-]{16,}\.[\w-]{16,}`,
    String.raw`\bvap_[\w-]{32}`,
    String.raw`\bwhsec_[\w+/=-]{24,}`,
    String.raw`\b(hf_|gsk_|npm_|shp(at|ca|pa|ss)_)\w{30,}`,
    String.raw`\bya29\.[\w-]{20,}`,
    // Webhook URLs are secrets themselves, because anyone who has one can post to the channel.
    String.raw`\bhooks\.slack\.com/(services|workflows|triggers)/(?=[\w/]*\d)[\w/]{20,}`,
    String.raw`\bdiscord(app)?\.com/api/(v\d+/)?webhooks/\d+/[\w-]{30,}`,
    String.raw`/bot\d{6,12}:[\w-]{30,}`,
    // The length is limited to keep matching fast, because a match could start at each part of `eyJ-eyJ-…`.
    String.raw`\beyJ[\w-]{8,300}\.eyJ[\w-]{8}`,
    // A digit is required, because `Bearer certificates` isn't a token.
    String.raw`\b([Bb]earer|[Bb]asic) +(?=[A-Za-z._~+/=-]*\d)[\w.~+/=-]{12,}`,
    '-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----',
  ].join('|'),
);

/** A secret has at least six characters and no spaces. */
const MIN_SECRET = /^\S{6,}$/;

const PLACEHOLDER = /\{\{[^{}]*\}\}/g;
const literal = (text: string): string => text.replace(PLACEHOLDER, '');

/** Returns at most `max` faults with paths in the section. Messages never repeat a value. */
export function exposedSecrets(
  name: SectionName,
  section: unknown,
  { loc, max }: { loc: readonly (string | number)[]; max: number },
): InputFault[] {
  const actions = name === 'persona' ? valueAt(section, 'actions') : undefined;
  if (!isJsonObject(actions)) return [];
  const faults: InputFault[] = [];
  for (const [action, fields] of Object.entries(actions)) {
    if (faults.length >= max) break;
    const url = valueAt(fields, 'url');
    const places = [
      ...(typeof url === 'string' && isExposedInUrl(url) ? [['url']] : []),
      ...exposedInBody(valueAt(fields, 'body')).map((place) => ['body', ...place]),
    ];
    faults.push(
      ...places.map((place) => ({
        loc: [...loc, 'actions', action, ...place],
        msg: EXPOSED,
        type: 'action.secret_exposed',
      })),
    );
  }
  return faults.slice(0, max);
}

function isExposedInUrl(url: string): boolean {
  const [, userinfo = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)@/i.exec(url) ?? [];
  if (literal(userinfo).replace(':', '') !== '') return true;
  const begin = url.search(/[?#]/);
  const pairs = begin === -1 ? [] : pairsIn(url.slice(begin + 1));
  return SECRET_TEXT.test(url) || pairs.some(isSecretPair);
}

type Pair = [name: string, value: string];

const pairsIn = (query: string): Pair[] =>
  query.split(/[&;?#]/).map((pair) => {
    const at = pair.indexOf('=');
    return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
  });

function isSecretPair([name, value]: Pair): boolean {
  const [bare, given] = [bareName(name), literal(value)];
  if (!MIN_SECRET.test(given)) return false;
  return SECRET_NAME.test(bare) || (SECRET_PARAMETER.test(bare) && /\d/.test(given));
}

const bareName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

type Place = (string | number)[];

/** If the body is a string, the fault is reported for the whole string. */
function exposedInBody(body: unknown): Place[] {
  if (typeof body !== 'string') return placesIn(body, [], '');
  const isExposed =
    SECRET_TEXT.test(body) ||
    placesIn(parsedOrNull(body), [], '').length > 0 ||
    (/^[^\s=&{]+=/.test(body) && pairsIn(body).some(isSecretPair));
  return isExposed ? [[]] : [];
}

/** Deeper than any useful body. A string body is parsed here for the first time, so its depth hasn't been checked before. */
const MAX_DEPTH = 32;

/** Returns the paths of secret strings in the body. `name` is the key of the value. */
function placesIn(value: unknown, place: Place, name: string): Place[] {
  if (place.length > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => placesIn(item, [...place, index], name));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([key, item]) => placesIn(item, [...place, key], key));
  if (typeof value !== 'string') return [];
  const isNamed = SECRET_NAME.test(bareName(name)) && MIN_SECRET.test(literal(value));
  return isNamed || SECRET_TEXT.test(value) ? [place] : [];
}

function parsedOrNull(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    // An unquoted variable makes the string invalid JSON. In that case, check only the string as a whole.
    return null;
  }
}
