import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../../sdk/typescript/errors';
import type { CreateCampaign, PreviewContactFile } from '../../../../sdk/typescript/generated';
import { answerOf, api, formOf } from '../../api/client';

/** Of the file that was chosen last: an answer about an earlier one is dropped. */
export const useContactFilePreview = () =>
  useMutation({
    mutationFn: (body: PreviewContactFile) =>
      answerOf(api.POST('/api/campaigns/contact-file/preview', { body, bodySerializer: formOf })),
  });

export type FilePreview = ReturnType<typeof useContactFilePreview>;

/** For what the file is: it would be refused again. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && [400, 413, 422].includes(error.status);

/** The file would be refused by the dry run, for what the page shows already. */
export const isFaulty = ({ data, error }: FilePreview): boolean =>
  (data?.faults_total ?? 0) > 0 || isRefused(error);

export const useDryRun = () =>
  useMutation({
    mutationFn: (body: CreateCampaign) =>
      answerOf(api.POST('/api/campaigns/simulate', { body, bodySerializer: formOf })),
  });

/** One key for one page: a start whose answer was lost makes no second campaign. */
export function useCreateCampaign() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: { body: CreateCampaign; key: string }) =>
      answerOf(
        api.POST('/api/campaigns/create', {
          params: { header: { 'Idempotency-Key': key } },
          body,
          bodySerializer: formOf,
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['campaigns'] }),
  });
}

export const useLimits = () =>
  useQuery({
    queryKey: ['limits'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/limits', { signal })),
  });
