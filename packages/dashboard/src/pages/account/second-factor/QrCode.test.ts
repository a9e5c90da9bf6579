import { describe, expect, it } from 'vitest';
import { qrPath } from './QrCode.tsx';

describe('a QR code', () => {
  it('is a bar for each run of dark modules, inside its quiet zone', () => {
    expect(qrPath(['110', '001'])).toBe('M4 4h2v1h-2zM6 5h1v1h-1z');
  });

  it('is empty when all modules are light', () => {
    expect(qrPath(['00', '00'])).toBe('');
  });
});
