import { isJsonObject } from '../../../domain/json';

export const DIAL_TASK = 'dial';

export interface DialJob {
  campaign: string;
  /** Of its contacts, from 0. */
  nth: number;
}

export const isDialJob = (payload: unknown): payload is DialJob =>
  isJsonObject(payload) && typeof payload.campaign === 'string' && typeof payload.nth === 'number';
