import { expect, it } from 'vitest';
import { deviceOf } from './user-agent.ts';

it.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15', 'on an iPhone'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36', 'on an Android device'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15_1) AppleWebKit/605.1.15', 'on a Mac'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 'on a Windows computer'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'on a Linux computer'],
  ['curl/8.5.0', ''],
])('%s is %j', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});
