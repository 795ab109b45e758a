/**
 * Secrets where an action would expose them: its `url` and `body` are stored and shown as they are. Only what is a secret beyond doubt counts: a
 * false alarm refuses a configuration that works. What a variable fills in is none.
 */
import type { SectionName } from '../../../../domain/agent-config';
import { isJsonObject, valueAt } from '../../../../domain/json';
import type { InputFault } from '../../../http/errors/api-error';

/** Names the remedy. */
const EXPOSED =
  'holds a secret, which is stored and shown as it is: send it in a header such as Authorization, which is encrypted and shown masked, or put a {{variable}} in its place';

/** Without what separates its words, so that `api_key` and `apiKey` are one. The token of a page is a place in a list. */
const SECRET_NAME =
  /((?<!page|next|continuation|sync)token|secret|passw(or)?d|passphrase|pwd|apikey|accesskey|privatekey|secretkey|authkey|credentials?|authorization|signature|jwt)$/;
/** In an address, with a digit in the value: `key=customer` names a field. In a body they are names of fields. */
const SECRET_PARAMETER = /^(key|auth|sig|pass)$/;

/** As their makers mark them, and what stands in an Authorization header. */
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
    // Addresses that are secrets themselves: whoever has one posts to the channel.
    String.raw`\bhooks\.slack\.com/(services|workflows|triggers)/(?=[\w/]*\d)[\w/]{20,}`,
    String.raw`\bdiscord(app)?\.com/api/(v\d+/)?webhooks/\d+/[\w-]{30,}`,
    String.raw`/bot\d{6,12}:[\w-]{30,}`,
    // Bounded, as `eyJ-eyJ-…` could begin anywhere.
    String.raw`\beyJ[\w-]{8,300}\.eyJ[\w-]{8}`,
    // With a digit: `Bearer certificates` is no token.
    String.raw`\b([Bb]earer|[Bb]asic) +(?=[A-Za-z._~+/=-]*\d)[\w.~+/=-]{12,}`,
    '-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----',
  ].join('|'),
);

/** Shorter texts, and texts of several words, are something else. */
const LEAST_SECRET = /^\S{6,}$/;

const PLACEHOLDER = /\{\{[^{}]*\}\}/g;
const literal = (text: string): string => text.replace(PLACEHOLDER, '');

/** At most as many as are asked for. The places are in the section, and no fault repeats a value. */
export function exposedSecrets(
  name: SectionName,
  section: unknown,
  { loc, most }: { loc: readonly (string | number)[]; most: number },
): InputFault[] {
  const actions = name === 'persona' ? valueAt(section, 'actions') : undefined;
  if (!isJsonObject(actions)) return [];
  const faults: InputFault[] = [];
  for (const [action, fields] of Object.entries(actions)) {
    if (faults.length >= most) break;
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
  return faults.slice(0, most);
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
  if (!LEAST_SECRET.test(given)) return false;
  return SECRET_NAME.test(bare) || (SECRET_PARAMETER.test(bare) && /\d/.test(given));
}

const bareName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

type Place = (string | number)[];

/** Of a body that is a text, the whole of it. */
function exposedInBody(body: unknown): Place[] {
  if (typeof body !== 'string') return placesIn(body, [], '');
  const isExposed =
    SECRET_TEXT.test(body) ||
    placesIn(parsedOrNull(body), [], '').length > 0 ||
    (/^[^\s=&{]+=/.test(body) && pairsIn(body).some(isSecretPair));
  return isExposed ? [[]] : [];
}

/** Deeper than any body that means something: one that is a text is parsed here first. */
const MOST_DEPTH = 32;

/** Each the way to a text from the body on. `name` is the key that the value stands under. */
function placesIn(value: unknown, place: Place, name: string): Place[] {
  if (place.length > MOST_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => placesIn(item, [...place, index], name));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([key, item]) => placesIn(item, [...place, key], key));
  if (typeof value !== 'string') return [];
  const isNamed = SECRET_NAME.test(bareName(name)) && LEAST_SECRET.test(literal(value));
  return isNamed || SECRET_TEXT.test(value) ? [place] : [];
}

function parsedOrNull(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    // Variables may stand in it without quotation marks; then the text alone is looked at.
    return null;
  }
}
