import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RedeliveryRequest, WebhookDelivery } from '../../../sdk/typescript/generated';
import { answerOf, api } from '../api/client';

export interface DeliveryFilter {
  call_id?: string;
  campaign_id?: string;
  status?: WebhookDelivery['status'];
  page?: number;
}

export const useDeliveries = (filter: DeliveryFilter) =>
  useQuery({
    queryKey: ['deliveries', filter],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/webhook-deliveries', { params: { query: { page_size: 25, ...filter } }, signal }),
      ),
    placeholderData: keepPreviousData,
  });

/** Its key extends the list's, so that a redelivery refetches it. */
export const useDelivery = (deliveryId: string) =>
  useQuery({
    queryKey: ['deliveries', 'one', deliveryId],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/webhook-deliveries/{delivery_id}', {
          params: { path: { delivery_id: deliveryId } },
          signal,
        }),
      ),
  });

export function useRedeliver() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId: string) =>
      answerOf(
        api.POST('/api/webhook-deliveries/{delivery_id}/redeliver', {
          params: { path: { delivery_id: deliveryId } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  });
}

export function useRedeliverMany() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: RedeliveryRequest) =>
      answerOf(api.POST('/api/webhook-deliveries/redeliver', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  });
}
