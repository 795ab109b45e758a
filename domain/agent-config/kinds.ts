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
  does: string,
  { default: value, effects = CONVERSATION }: { default: D; effects?: Effects },
): FlagRow<D> => ({ kind: 'flag', does, effects, default: value });

interface TextOptions {
  max?: number;
  form?: TextRow['form'];
  /** Default: empty. */
  default?: string;
  effects?: Effects;
}

export const text = (
  does: string,
  { max = MAXIMA.text, form = 'any', default: value = '', effects = CONVERSATION }: TextOptions = {},
): TextRow => ({ kind: 'text', does, effects, form, max, default: value });

/** A string field for the name of a provider, model or language. */
export const name = (does: string, options: Omit<TextOptions, 'max'> = {}): TextRow =>
  text(does, { ...options, max: MAXIMA.name });

export const choice = <const C extends string>(
  does: string,
  {
    values,
    default: value,
    effects = CONVERSATION,
  }: { values: readonly C[]; default: NoInfer<C>; effects?: Effects },
): ChoiceRow<C> => ({ kind: 'choice', does, effects, values, default: value });

export const word = <const C extends string>(
  does: string,
  choices: { values: readonly C[]; default: NoInfer<C>; otherwise: NoInfer<C> },
): WordRow<C> => ({ kind: 'word', does, effects: CONVERSATION, max: MAXIMA.name, ...choices });

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
  does: string,
  { above = 'refused', effects = CONVERSATION, ...limits }: NumberOptions<D>,
): NumberRow<D> => ({ kind: 'number', isWhole: true, does, effects, above, ...limits });

/** A number with or without a fraction. */
export const number = <D extends number | null>(
  does: string,
  { above = 'refused', effects = CONVERSATION, ...limits }: NumberOptions<D>,
): NumberRow<D> => ({ kind: 'number', isWhole: false, does, effects, above, ...limits });

/** A number from 0 to 1. */
export const share = <D extends number | null>(
  does: string,
  { default: value }: { default: D },
): NumberRow<D> => number(does, { unit: 'share', min: 0, max: 1, default: value });

interface SizeOptions {
  max: number;
  uses?: Uses;
  effects?: Effects;
}

export const list = <E extends Row | null>(
  does: string,
  { entry, effects = CONVERSATION, ...size }: SizeOptions & { entry: E },
): ListRow<E> => ({ kind: 'list', does, effects, entry, ...size });

export const any = (does: string): AnyRow => ({ kind: 'any', does, effects: CONVERSATION });

export const map = (does: string, { effects = CONVERSATION, ...size }: SizeOptions): MapRow => ({
  kind: 'map',
  does,
  effects,
  ...size,
});

export const textMap = (does: string, { max }: { max: number }): TextMapRow => ({
  kind: 'text map',
  does,
  effects: CONVERSATION,
  max,
});

export const shape = <const T extends Table>(
  does: string,
  { max, rows }: { max: number; rows: T },
): ShapeRow<T> => ({ kind: 'shape', does, effects: CONVERSATION, max, rows });

export const shapeMap = <const T extends Table>(
  does: string,
  given: { max: number; uses: Uses; rows: T },
): ShapeMapRow<T> => ({ kind: 'shape map', does, effects: CONVERSATION, ...given });

export const group = <const T extends Table>(
  does: string,
  rows: T,
  { like }: { like?: string } = {},
): GroupRow<T> => ({ kind: 'group', does, rows, ...(like !== undefined && { like }) });

export const item = <const T extends Table>(does: string, rows: T): ItemRow<T> => ({
  kind: 'item',
  does,
  rows,
});

export const section = <const T extends Table>(sectionName: string, does: string, rows: T): Section<T> => ({
  name: sectionName,
  does,
  rows,
});

export const required = <R extends Row>(row: R): R & { required: true } => ({ ...row, required: true });

/** Marks a key that the interface does not document. Its value is stored as it was sent. */
export const unchecked = <R extends Row>(row: R): R & { isUnchecked: true } => ({
  ...row,
  isUnchecked: true,
});
