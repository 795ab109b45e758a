/** Computes the response that digest authentication expects (RFC 2617, MD5). */
import { createHash } from 'node:crypto';

export function digestOf(header: string) {
  const field = (name: string): string => new RegExp(`\\b${name}="?([^",]+)`).exec(header)?.[1] ?? '';
  const sent = { username: field('username'), realm: field('realm'), response: field('response') };
  return {
    ...sent,
    expected: (method: string, password: string): string => {
      const who = md5(`${sent.username}:${sent.realm}:${password}`);
      const what = md5(`${method}:${field('uri')}`);
      const quality = field('qop') === '' ? [] : [field('nc'), field('cnonce'), field('qop')];
      return md5([who, field('nonce'), ...quality, what].join(':'));
    },
  };
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
