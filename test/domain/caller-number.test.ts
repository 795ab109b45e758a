import { callerNumber, numberOfCaller } from '../../domain/caller-number';

test.each([
  ['+919876543210', '+919876543210'],
  ['919876543210', '+919876543210'],
  ['09876543210', '+919876543210'],
  ['9876543210', '+919876543210'],
  ['447911123456', '+447911123456'],
  ['00447911123456', '+447911123456'],
  ['12125550123', '+12125550123'],
  ['anonymous', null],
  ['web-user', null],
  ['100', null],
  [null, null],
])('converts the reported caller %s to %s', (shown, listed) => {
  expect(callerNumber(shown)).toBe(listed);
});

test.each([
  ['+919812345600', '+919812345600'],
  ['919812345600', '+919812345600'],
  ['sip:+919812345600@10.0.0.5', '+919812345600'],
  ['tel:+91-98123-45600', '+919812345600'],
  ['+449098790000', '+449098790000'],
  ['99999999999999', '99999999999999'],
  ['anonymous', null],
  ['sip:anonymous@anonymous.invalid', null],
  ['0000000000', null],
  ['201', null],
  ['', null],
  [null, null],
])('limits live calls of the reported caller %j by the number %j', (from, number) => {
  expect(numberOfCaller(from)).toBe(number);
});
