import { parsePhoneNumber } from 'libphonenumber-js/max';
import { answeredNumber, contactFile } from '../../../verify/bench/contact-file';
import { scriptFor } from '../../../dev/simulator/numbers';

const numbers = Array.from({ length: 1000 }, (_, nth) => answeredNumber(nth));

test('a thousand numbers are distinct and valid', () => {
  expect(new Set(numbers).size).toBe(1000);
  expect(numbers.filter((number) => !parsePhoneNumber(number, 'IN').isValid())).toEqual([]);
});

test('the simulator answers every one of them and lets it talk to its end', () => {
  const outcomes = numbers.map((number) => scriptFor(number));
  expect(
    outcomes.every(({ outcome, post, reply, events }) => {
      const plain = post === 'taken' && reply === 'sent' && events === 'in_order';
      return plain && outcome.kind === 'answered' && outcome.endReason === 'agent';
    }),
  ).toBe(true);
});

test('the file has a header and a row for each contact', () => {
  expect(contactFile(2)).toBe('name,phone_number\nContact 1,9810000000\nContact 2,9810000001\n');
});
