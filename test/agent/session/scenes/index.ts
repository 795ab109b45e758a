import type { Scene } from '../../support/scene';
import { EXPERIENCE } from './experience';
import { IDENTITY } from './identity';
import { SENSES } from './senses';
import { SESSIONS } from './sessions';
import { SETTINGS } from './settings';

export const SCENES: readonly Scene[] = [...IDENTITY, ...SENSES, ...EXPERIENCE, ...SETTINGS, ...SESSIONS];

export const titleOf = ({ fields, title }: Scene): string => `${fields.join(', ') || 'a session'} ${title}`;
