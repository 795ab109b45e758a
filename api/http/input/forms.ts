import { Readable } from 'node:stream';
import multer from '@koa/multer';
import type { ApiContext } from '../context';
import { errorCode } from '../../../db/kernel/error-code';
import { StorageUnavailable } from '../../../runtime/storage/file-storage';
import {
  fieldTooLarge,
  fileTooLarge,
  invalidInput,
  tooManyFields,
  unsupportedMediaType,
  invalidEncoding,
} from '../errors/refusals';
import { writeUpload, type UploadedFile } from './uploads';
import { textBody, withinBudget } from './text-body';
import { describeJsonFault, isForbiddenKey } from '../../../domain/json-faults';
import { storableText } from '../../../domain/storable-text';
import type { InputFault } from '../errors/api-error';

/** Maximum number of fields in a form, in either encoding. */
const MAX_FIELDS = 100;

/** Parsers write this character for bytes and escapes that aren't valid UTF-8. */
const REPLACEMENT = '\ufffd';

/** @throws ApiError 400 if a name or text of the form wasn't valid UTF-8 */
function assertText(...texts: string[]): void {
  if (texts.some((text) => text.includes(REPLACEMENT))) throw invalidEncoding();
}

/** Returns the text of each field. Rejects repeated fields, names like `a[b]`, and text that can't be stored, even in unknown fields. */
function textFields(entries: Iterable<[string, unknown]>): Record<string, string> {
  const fields: Record<string, string> = {};
  const faults: InputFault[] = [];
  for (const [name, value] of entries) {
    assertText(name, typeof value === 'string' ? value : '');
    if (isForbiddenKey(name)) {
      faults.push({ loc: ['body', name], msg: 'is not an allowed field name', type: 'forbidden_key' });
    } else if (typeof value !== 'string' || Object.hasOwn(fields, name)) {
      faults.push({ loc: ['body', name], msg: 'must be a single string', type: 'string.base' });
    } else if (storableText(name + value) !== name + value) {
      const kind = 'unstorable_text';
      faults.push({ loc: ['body', name], msg: describeJsonFault({ kind }), type: kind });
    } else fields[name] = value;
  }
  if (faults.length > 0) throw invalidInput(faults);
  return fields;
}

const MIB = 1024 * 1024;
export const MAX_FILE_BYTES = 10 * MIB;
/** An upload that exceeds its limit by less is read to its end, so that the client receives the 413. A larger one is cut off. */
const MAX_DRAINED_BYTES = 70 * MIB;

export interface MultipartForm {
  /** Text of each field. Repeated fields and names like `a[b]` are rejected. */
  fields: Readonly<Record<string, string>>;
  file: UploadedFile | null;
}

/** Fields are kept in memory; the file is not. */
const MAX_FIELD_BYTES = 10 * 1024;
const MAX_FIELDS_BYTES = MAX_FIELDS * MAX_FIELD_BYTES;

/** @koa/multer's types lack this option. */
const NAMES_IN_UTF8 = { defParamCharset: 'utf8' };

const LIMITS: multer.Options['limits'] = {
  files: 1,
  fields: MAX_FIELDS,
  parts: MAX_FIELDS + 1,
  fieldSize: MAX_FIELD_BYTES,
  fieldNameSize: 100,
};

/** Reads a form with at most one file. The file stays on disk until the request is handled. */
export async function multipartForm(
  ctx: ApiContext,
  { fileField, maxBytes = MAX_FILE_BYTES }: { fileField: string; maxBytes?: number },
): Promise<MultipartForm> {
  if (!ctx.is('multipart/form-data')) throw unsupportedMediaType('multipart/form-data');
  const drained = maxBytes + MAX_DRAINED_BYTES;
  if ((ctx.request.length ?? 0) > drained) throw fileTooLarge(maxBytes);
  const file = await withinBudget(
    ctx,
    MAX_FIELDS_BYTES,
    () => readForm(ctx, fileField, maxBytes),
    (bytes) => (bytes > drained ? fileTooLarge(maxBytes) : null),
  );
  const fields = textFields(Object.entries(ctx.request.body ?? {}));
  if (file !== null) assertText(file.filename);
  return { fields, file };
}

async function readForm(ctx: ApiContext, fileField: string, maxBytes: number): Promise<UploadedFile | null> {
  let uploaded: UploadedFile | null = null;
  const storage: multer.StorageEngine = {
    _handleFile: (_request, file, done) => {
      // multer's types omit `stream`.
      const content = 'stream' in file && file.stream instanceof Readable ? file.stream : Readable.from([]);
      writeUpload(ctx, { filename: file.originalname, content }).then((written) => {
        uploaded = written;
        done(null, file);
      }, done);
    },
    // The file is removed when the request ends.
    _removeFile: (_request, _file, done) => void Reflect.apply(done, undefined, []),
  };
  try {
    await multer({ storage, ...NAMES_IN_UTF8, limits: { ...LIMITS, fileSize: maxBytes } }).single(fileField)(
      ctx,
      () => Promise.resolve(),
    );
    return uploaded;
  } catch (error) {
    throw refusalOf(error, fileField, maxBytes);
  }
}

/** multer sets a code for each limit. busboy throws a plain error if a form is malformed or incomplete. */
function refusalOf(error: unknown, fileField: string, maxBytes: number): Error {
  if (error instanceof StorageUnavailable) return error;
  const code = errorCode(error);
  if (code === 'LIMIT_FILE_SIZE') return fileTooLarge(maxBytes);
  if (code === 'LIMIT_FIELD_VALUE') return fieldTooLarge(MAX_FIELD_BYTES);
  if (code === 'LIMIT_FIELD_COUNT' || code === 'LIMIT_PART_COUNT') return tooManyFields(MAX_FIELDS);
  const field =
    error instanceof Error && 'field' in error && typeof error.field === 'string' ? error.field : null;
  return invalidInput(
    [
      {
        loc: field === null ? ['body'] : ['body', field],
        msg: formFault(code, fileField),
        type: 'form.invalid',
      },
    ],
    error,
  );
}

function formFault(code: string | null, fileField: string): string {
  switch (code) {
    case 'LIMIT_UNEXPECTED_FILE':
      return `must not contain a file. Send one file, in the field \`${fileField}\``;
    case 'LIMIT_FILE_COUNT':
      return `must not contain more than one file. Send one file, in the field \`${fileField}\``;
    default:
      return 'is not a valid multipart form';
  }
}

/** Reads an `application/x-www-form-urlencoded` body. A form in either encoding has the same maximum number of fields. */
export async function urlencodedForm(ctx: ApiContext): Promise<Readonly<Record<string, string>>> {
  const text = await textBody(ctx);
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw tooManyFields(MAX_FIELDS);
  return textFields(new URLSearchParams(text));
}
