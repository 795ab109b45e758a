import { auditFilters } from '../../../console/src/audit/filters';
import { whoOf } from '../../../console/src/audit/words';

test('a key is called by its name, and one that is gone by its id', () => {
  expect(whoOf({ kind: 'api_key', id: '1', name: 'Reports' })).toBe('Key Reports');
  expect(whoOf({ kind: 'api_key', id: '1', name: null })).toBe('Key 1');
  expect(whoOf({ kind: 'operator', id: null, name: null })).toBe('The operator');
});

test('parts of an address that make no sense filter nothing', () => {
  expect(auditFilters({ action: 'campaign.delete', from: 'today', page: '0', who: 7 })).toEqual({ who: '7' });
});
