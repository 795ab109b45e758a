import { auditFilters } from '../../../console/src/audit/filters';
import { whoOf } from '../../../console/src/audit/words';

test('shows the name of a key, or its id if the name is unknown', () => {
  expect(whoOf({ kind: 'api_key', id: '1', name: 'Reports' })).toBe('Key Reports');
  expect(whoOf({ kind: 'api_key', id: '1', name: null })).toBe('Key 1');
  expect(whoOf({ kind: 'operator', id: null, name: null })).toBe('The operator');
});

test('ignores invalid filters in the URL', () => {
  expect(auditFilters({ action: 'campaign.delete', from: 'today', page: '0', who: 7 })).toEqual({ who: '7' });
});
