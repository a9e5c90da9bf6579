import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskEmail, maskFound, maskFoundIn, maskPersonal, maskPhone } from './mask.ts';
import { readConversion } from './read-conversion.ts';

it('shows enough of an email address or a number to know one’s own test by', () => {
  expect(maskEmail('jane@example.com')).toBe('j***@e***.com');
  expect(maskEmail('👟x@mail.shop.example')).toBe('👟***@m***.example');
  expect(maskEmail('no address')).toBe('***');
  expect(maskPhone('+49 (30) 90 18-12')).toBe('+49…12');
  expect(maskPhone('030 901 820 12')).toBe('…12');
  expect(maskPhone('12345')).toBe('***');
  expect(maskEmail('b4c9a289323b21a01c3e940f150eb9b8c542587f1abfd8f0e1cc1ffc5e475514')).toBe('b4c9…');
});

it('leaves nothing of what a customer is called, wherever it stood', () => {
  const secrets = [
    'jane.roe',
    'mail.example',
    '901820',
    'Jane',
    'Roeder',
    'Lindenstr',
    '10117',
    '1990-01-01',
  ];
  const reading = readConversion('lead', {
    user_data: {
      email: 'jane.roe@mail.example',
      phone: '+49 30 901820',
      first_name: 'Jane',
      last_name: 'Roeder',
      address: { street: 'Lindenstr 1', city: 'Berlin', postal_code: '10117', country: 'DE', floor: 'Jane' },
      birthday: '1990-01-01',
      'jane.roe@mail.example': true,
    },
  });
  if ('errors' in reading || reading.event.userData === null) throw new Error('refused');
  const masked = JSON.stringify(maskPersonal(reading.event.userData));
  for (const secret of secrets) expect(masked).not.toContain(secret);
  expect(masked).toContain('Berlin');
});

it('finds addresses and numbers inside unknown fields, names among them', () => {
  const found = maskFoundIn({
    note: 'call +49 30 901820 or jane@mail.example',
    list: ['a@b.example'],
    'x@y.example': 1,
  });
  expect(found).toEqual({ note: 'call *** or ***', list: ['***'], '***': 1 });
  expect(maskFound('order 6543219876543, 2 × @home, 1.5')).toBe('order 6543219876543, 2 × @home, 1.5');
});

it('masks any email address in any text, in time that grows with its length', () => {
  fc.assert(
    fc.property(fc.emailAddress({ size: 'small' }), fc.lorem(), (email, words) => {
      const [host = ''] = email.split('@').slice(-1);
      expect(maskFound(`${words} ${email} ${words}`)).not.toContain(`@${host}`);
    }),
  );
  expect(maskFound('a@'.repeat(50_000))).toHaveLength(100_000);
});
