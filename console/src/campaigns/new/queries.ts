import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../../sdk/typescript/errors';
import type { CreateCampaign, PreviewContactFile } from '../../../../sdk/typescript/generated';
import { api, formOf } from '../../api/client';

/** Previews the chosen file. Ignores the response for a file that was chosen earlier. */
export const useContactFilePreview = () =>
  useMutation({
    mutationFn: (body: PreviewContactFile) =>
      api.post('/api/campaigns/contact-file/preview', { body: formOf(body) }),
  });

export type FilePreview = ReturnType<typeof useContactFilePreview>;

/** Returns true if the API rejected the file itself, so that a retry would fail again. */
export const isRejected = (error: unknown): boolean =>
  error instanceof ApiError && [400, 413, 422].includes(error.status);

/** Returns true if the file has errors that the page already shows and that would make the dry run fail. */
export const isFaulty = ({ data, error }: FilePreview): boolean =>
  (data?.faults_total ?? 0) > 0 || isRejected(error);

export const useDryRun = () =>
  useMutation({
    mutationFn: (body: CreateCampaign & { csv_file: Blob }) =>
      api.post('/api/campaigns/simulate', { body: formOf(body) }),
  });

/** Pass the same key for every attempt on a page, so that a retry doesn't create a second campaign. */
export function useCreateCampaign() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: { body: CreateCampaign; key: string }) =>
      api.post('/api/campaigns/create', { idempotencyKey: key, body: formOf(body) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['campaigns'] }),
  });
}
