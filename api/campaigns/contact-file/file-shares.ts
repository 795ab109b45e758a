import { Shares } from '../../../runtime/shares';
import { shareTaken } from '../../http/errors/refusals';
import type { ApiContext } from '../../http/endpoint/context';
import { RequestSlots } from '../../http/limits';
import { multipartForm, type MultipartForm } from '../../http/input/multipart';
import type { UploadedFile } from '../../http/input/uploads';

/** Larger files are read in turn: several at once would be as many pieces of work between two steps of another request. */
const SMALL_BYTES = 64 * 1024;

/**
 * Two workbook processes at their limit leave a small machine its memory. Waiting and reading together are shorter than the lease of an
 * idempotency key.
 */
const shares = new Shares({ most: 2, mostOfOne: 1, waiting: 40, waitingOfOne: 10, waitMs: 8_000 });

/** A client on a slow network delays only the next files of its own organization, each for this long at most. */
const requests = new RequestSlots({ ofOne: 2, mostMs: 2_000 });

/** Reads a form with a contact file. Bodies of further files stay unread until a slot is free. */
export async function contactFileForm(ctx: ApiContext): Promise<MultipartForm> {
  ctx.state.releases.push(await requests.enter());
  return multipartForm(ctx, { fileField: 'csv_file' });
}

/** Reads a contact file into memory and does the work with it, when the turn of the organization comes. */
export async function withContent<T>(
  file: UploadedFile,
  organization: { id: string },
  work: (content: Buffer) => Promise<T>,
): Promise<T> {
  const read = async (): Promise<T> => work(await file.read());
  if (file.bytes <= SMALL_BYTES) return read();
  const result = await shares.run(organization.id, async () => ({ value: await read() }));
  if (result === null) throw shareTaken();
  return result.value;
}
