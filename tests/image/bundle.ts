/** A container for an OCI runtime, as shut off as compose.yaml asks for it: a read-only root, no capabilities, no new privileges. */
interface Asked {
  /** The unpacked image. */
  readonly root: string;
  readonly uid: number;
  readonly gid: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A folder of this machine, at /data. */
  readonly volume: string;
}

/** @returns config.json of the runtime's bundle */
export function bundle({ root, uid, gid, args, env, volume }: Asked): string {
  const none: readonly string[] = [];
  const memory = (destination: string, ...options: readonly string[]) => ({
    destination,
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', ...options],
  });
  const ofHost = (path: string) => ({
    destination: path,
    type: 'bind',
    source: path,
    options: ['rbind', 'ro'],
  });
  return JSON.stringify({
    ociVersion: '1.0.2',
    process: {
      terminal: false,
      user: { uid, gid },
      args,
      env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      cwd: '/app',
      capabilities: { bounding: none, effective: none, inheritable: none, permitted: none, ambient: none },
      noNewPrivileges: true,
      rlimits: [{ type: 'RLIMIT_NOFILE', hard: 65_536, soft: 65_536 }],
    },
    root: { path: root, readonly: true },
    hostname: 'ghostlight',
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      memory('/dev', 'strictatime', 'mode=755', 'size=65536k'),
      memory('/dev/shm', 'noexec', 'nodev', 'mode=1777', 'size=65536k'),
      memory('/tmp', 'noexec', 'nodev', 'mode=1777', 'size=256m'),
      { destination: '/data', type: 'bind', source: volume, options: ['rbind', 'rw', 'nosuid', 'nodev'] },
      ofHost('/etc/resolv.conf'),
      ofHost('/etc/hosts'),
    ],
    linux: {
      namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
      maskedPaths: ['/proc/kcore', '/proc/keys', '/proc/timer_list'],
      readonlyPaths: ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'],
    },
  });
}
