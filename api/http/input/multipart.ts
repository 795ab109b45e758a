import multer from '@koa/multer';
import type { Context } from 'koa';
import { errorCode } from '../../../db/kernel/error-code';
import {
  fileTooLarge,
  invalidEncoding,
  invalidInput,
  payloadTooLarge,
  unsupportedMediaType,
} from '../errors/refusals';
import { MAX_FIELDS, textFields } from './form-fields';

const MIB = 1024 * 1024;
export const MAX_FILE_BYTES = 10 * MIB;
/** An upload beyond this is not even read to its end, which a polite refusal needs. */
const MAX_DRAINED_BYTES = 8 * MAX_FILE_BYTES;

export interface UploadedFile {
  filename: string;
  content: Buffer;
}

export interface MultipartForm {
  /** Each field's text; a field that is given more than once, or like `a[b]`, is refused. */
  fields: Readonly<Record<string, string>>;
  file: UploadedFile | null;
}

const upload = multer({
  storage: multer.memoryStorage(),
  limits: {
    fileSize: MAX_FILE_BYTES,
    files: 1,
    fields: MAX_FIELDS,
    parts: MAX_FIELDS + 1,
    fieldSize: 64 * 1024,
    fieldNameSize: 100,
  },
});

/** Reads a form with at most one file, which is held in memory. */
export async function multipartForm(
  ctx: Context,
  { fileField }: { fileField: string },
): Promise<MultipartForm> {
  if (!ctx.is('multipart/form-data')) throw unsupportedMediaType('multipart/form-data');
  if ((ctx.request.length ?? 0) > MAX_DRAINED_BYTES) throw fileTooLarge(MAX_FILE_BYTES);
  await readForm(ctx, fileField);
  const { file } = ctx.request as { file?: multer.File };
  const fields = textFields(Object.entries(ctx.request.body ?? {}));
  // The parser shows no bytes, only the U+FFFD that it puts for those that are no text in the part's encoding.
  if (Object.values(fields).some((text) => text.includes('\ufffd'))) throw invalidEncoding();
  return {
    fields,
    file: file === undefined ? null : { filename: file.originalname, content: file.buffer },
  };
}

async function readForm(ctx: Context, fileField: string): Promise<void> {
  try {
    await upload.single(fileField)(ctx, () => Promise.resolve());
  } catch (error) {
    throw refusalOf(error);
  }
}

/** multer fails with a code for each limit; busboy with a plain error for a form that is malformed or breaks off. */
function refusalOf(error: unknown): Error {
  const code = errorCode(error);
  if (code === 'LIMIT_FILE_SIZE') return fileTooLarge(MAX_FILE_BYTES);
  if (code === 'LIMIT_FIELD_VALUE' || code === 'LIMIT_FIELD_COUNT' || code === 'LIMIT_PART_COUNT') {
    return payloadTooLarge();
  }
  const field =
    error instanceof Error && 'field' in error && typeof error.field === 'string' ? error.field : null;
  const msg =
    code === 'LIMIT_UNEXPECTED_FILE' || code === 'LIMIT_FILE_COUNT'
      ? 'is not a file that this form takes'
      : 'is not a well-formed form';
  return invalidInput(
    [{ loc: field === null ? ['body'] : ['body', field], msg, type: 'form.invalid' }],
    error,
  );
}
