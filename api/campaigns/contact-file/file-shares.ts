import { Shares } from '../../../runtime/shares';
import { shareTaken } from '../../http/errors/refusals';
import type { ApiContext } from '../../http/context';
import { RequestSlots } from '../../http/limits';
import { multipartForm, type MultipartForm } from '../../http/input/forms';
import type { UploadedFile } from '../../http/input/uploads';

/** Larger files wait for a slot, because several at once would delay every other request. */
const SMALL_BYTES = 64 * 1024;

/**
 * Two workbook processes at their limit leave enough memory on a small machine. Waiting plus reading must take less time than the lease of
 * an idempotency key.
 */
const shares = new Shares({ max: 2, maxPerOwner: 1, waiting: 40, waitingPerOwner: 10, waitMs: 8_000 });

/** A slow client can only delay other files of its own organization, each by at most this long. */
const requests = new RequestSlots({ perOwner: 2, maxMs: 2_000 });

/** Reads a form with a contact file. The bodies of further files stay unread until a slot is free. */
export async function contactFileForm(ctx: ApiContext, maxBytes?: number): Promise<MultipartForm> {
  ctx.state.releases.push(await requests.enter());
  return multipartForm(ctx, { fileField: 'csv_file', ...(maxBytes !== undefined && { maxBytes }) });
}

/** Runs work on the content of a contact file. Waits for a slot of the organization if the file is large. */
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
