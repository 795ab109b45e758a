import { object } from '../schema/field';
import { constant } from '../schema/kinds';

export const done = object({ success: constant(true) }, { name: 'Done' });
