import { MAXIMA, type Uses } from './maxima';
import type {
  AnyRow,
  ChoiceRow,
  Effect,
  FlagRow,
  GroupRow,
  ItemRow,
  ListRow,
  MapRow,
  NumberRow,
  Row,
  Section,
  ShapeMapRow,
  ShapeRow,
  Table,
  TextMapRow,
  TextRow,
  WordRow,
} from './rows';

type Effects = readonly Effect[];

export const CONVERSATION: Effects = ['conversation'];
export const ANALYSIS: Effects = ['analysis'];
export const DIALLING: Effects = ['dialling'];
export const STORED: Effects = ['stored'];

export const flag = <const D extends boolean | null>(
  description: string,
  { default: value, effects = CONVERSATION }: { default: D; effects?: Effects },
): FlagRow<D> => ({ kind: 'flag', description, effects, default: value });

interface TextOptions {
  max?: number;
  form?: TextRow['form'];
  /** Default: empty. */
  default?: string;
  effects?: Effects;
}

export const text = (
  description: string,
  { max = MAXIMA.text, form = 'any', default: value = '', effects = CONVERSATION }: TextOptions = {},
): TextRow => ({ kind: 'text', description, effects, form, max, default: value });

/** A string field for the name of a provider, model or language. */
export const name = (description: string, options: Omit<TextOptions, 'max'> = {}): TextRow =>
  text(description, { ...options, max: MAXIMA.name });

export const choice = <const C extends string>(
  description: string,
  {
    values,
    default: value,
    effects = CONVERSATION,
  }: { values: readonly C[]; default: NoInfer<C>; effects?: Effects },
): ChoiceRow<C> => ({ kind: 'choice', description, effects, values, default: value });

export const word = <const C extends string>(
  description: string,
  choices: { values: readonly C[]; default: NoInfer<C>; otherwise: NoInfer<C> },
): WordRow<C> => ({ kind: 'word', description, effects: CONVERSATION, max: MAXIMA.name, ...choices });

interface NumberOptions<D extends number | null> {
  unit: NumberRow['unit'];
  min: number;
  max: number;
  above?: NumberRow['above'];
  /** Null if another setting or the provider decides. */
  default: D;
  effects?: Effects;
}

/** A whole number. Requests with a fraction are rejected. */
export const whole = <D extends number | null>(
  description: string,
  { above = 'refused', effects = CONVERSATION, ...limits }: NumberOptions<D>,
): NumberRow<D> => ({ kind: 'number', isWhole: true, description, effects, above, ...limits });

/** A number with or without a fraction. */
export const number = <D extends number | null>(
  description: string,
  { above = 'refused', effects = CONVERSATION, ...limits }: NumberOptions<D>,
): NumberRow<D> => ({ kind: 'number', isWhole: false, description, effects, above, ...limits });

/** A number from 0 to 1. */
export const share = <D extends number | null>(
  description: string,
  { default: value }: { default: D },
): NumberRow<D> => number(description, { unit: 'share', min: 0, max: 1, default: value });

interface SizeOptions {
  max: number;
  uses?: Uses;
  effects?: Effects;
}

export const list = <E extends Row | null>(
  description: string,
  { entry, effects = CONVERSATION, ...size }: SizeOptions & { entry: E },
): ListRow<E> => ({ kind: 'list', description, effects, entry, ...size });

export const any = (description: string): AnyRow => ({ kind: 'any', description, effects: CONVERSATION });

export const map = (description: string, { effects = CONVERSATION, ...size }: SizeOptions): MapRow => ({
  kind: 'map',
  description,
  effects,
  ...size,
});

export const textMap = (description: string, { max }: { max: number }): TextMapRow => ({
  kind: 'text map',
  description,
  effects: CONVERSATION,
  max,
});

export const shape = <const T extends Table>(
  description: string,
  { max, rows }: { max: number; rows: T },
): ShapeRow<T> => ({ kind: 'shape', description, effects: CONVERSATION, max, rows });

export const shapeMap = <const T extends Table>(
  description: string,
  given: { max: number; uses: Uses; rows: T },
): ShapeMapRow<T> => ({ kind: 'shape map', description, effects: CONVERSATION, ...given });

export const group = <const T extends Table>(
  description: string,
  rows: T,
  { like }: { like?: string } = {},
): GroupRow<T> => ({ kind: 'group', description, rows, ...(like !== undefined && { like }) });

export const item = <const T extends Table>(description: string, rows: T): ItemRow<T> => ({
  kind: 'item',
  description,
  rows,
});

export const section = <const T extends Table>(
  sectionName: string,
  description: string,
  rows: T,
): Section<T> => ({
  name: sectionName,
  description,
  rows,
});

export const required = <R extends Row>(row: R): R & { required: true } => ({ ...row, required: true });

/** Marks a key that the interface does not document. Its value is stored as it was sent. */
export const unchecked = <R extends Row>(row: R): R & { isUnchecked: true } => ({
  ...row,
  isUnchecked: true,
});
