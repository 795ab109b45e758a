import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RedeliveryRequest, WebhookDelivery } from '../../../sdk/typescript/generated';
import { api } from '../api/client';

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
      api.get('/api/webhook-deliveries', { query: { page_size: 25, ...filter }, signal }),
    placeholderData: keepPreviousData,
  });

/** The query key starts with the list's key, so that a redelivery refetches both. */
export const useDelivery = (deliveryId: string) =>
  useQuery({
    queryKey: ['deliveries', 'one', deliveryId],
    queryFn: ({ signal }) =>
      api.get('/api/webhook-deliveries/{delivery_id}', { path: { delivery_id: deliveryId }, signal }),
  });

export function useRedeliver() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId: string) =>
      api.post('/api/webhook-deliveries/{delivery_id}/redeliver', { path: { delivery_id: deliveryId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  });
}

export function useRedeliverMany() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: RedeliveryRequest) => api.post('/api/webhook-deliveries/redeliver', { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  });
}
