/** nginx, Apache, Caddy and HAProxy as Debian packs them, each in a folder of its own, with every log format that we read. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { chmodSync, createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../harness/free-port.ts';

export const SERVERS = ['nginx', 'apache', 'caddy', 'haproxy'] as const;
export type ServerName = (typeof SERVERS)[number];

/** The clock of the servers: half an hour off the hour shows who ignores zones. */
export const TIME_ZONE = 'Asia/Kolkata';

export interface WebServer {
  readonly port: number;
  readonly port6: number;
  /** By TLS; 0 where it was started without a certificate. */
  readonly tlsPort: number;
  /** Format → path of the log in it. */
  readonly logs: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const BINARIES: Readonly<Record<ServerName, readonly string[]>> = {
  nginx: ['/usr/sbin/nginx'],
  apache: ['/usr/sbin/apache2'],
  caddy: ['/usr/bin/caddy'],
  haproxy: ['/usr/sbin/haproxy'],
};

/** Null where it is not installed. */
export const binaryOf = (server: ServerName): string | null =>
  BINARIES[server].find((path) => existsSync(path)) ?? null;

export function versionOf(server: ServerName): string {
  const [binary = ''] = BINARIES[server];
  const flag = { nginx: '-v', apache: '-v', caddy: 'version', haproxy: '-v' }[server];
  const text = execFileSync('sh', ['-c', `"${binary}" ${flag} 2>&1`], { encoding: 'utf8' });
  return /\d+\.\d+\.\d+/.exec(text)?.[0] ?? '';
}

/** Paths of a certificate and its key, as PEM, and of both in one file. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly both: string;
}

/** Null where there is no openssl. */
export function makeCertificate(folder: string): Certificate | null {
  if (!existsSync('/usr/bin/openssl')) return null;
  const [cert, key, both] = ['cert.pem', 'key.pem', 'both.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  execFileSync(
    '/usr/bin/openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', '/CN=shop.example', '-keyout', key, '-out', cert],
    ],
    { stdio: 'ignore' },
  );
  writeFileSync(both, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
  // Workers may run as another user.
  for (const path of [cert, key, both]) chmodSync(path, 0o644);
  return { cert, key, both };
}

/** @param more lines at the end of its configuration @param certificate for requests by TLS */
export async function startServer(
  name: ServerName,
  folder: string,
  more = '',
  certificate: Certificate | null = null,
): Promise<WebServer> {
  const binary = binaryOf(name);
  if (binary === null) throw new Error(`${name} is not installed.`);
  const [port = 0, port6 = 0, syslog = 0, tlsPort = 0] = await Promise.all(
    Array.from({ length: 4 }, freePort),
  );
  mkdirSync(join(folder, 'www'), { recursive: true });
  writeFileSync(join(folder, 'www/page'), '<h1>hello</h1>\n');
  writeFileSync(join(folder, 'www/empty'), '');
  const { config, args, logs } = CONFIGURATIONS[name]({
    ...{ folder, port, port6, syslog },
    tls: certificate === null ? null : { port: tlsPort, ...certificate },
  });
  writeFileSync(join(folder, 'config'), `${config}${more}\n`);
  const closeLog = name === 'haproxy' ? await syslogTo(syslog, logs['haproxy'] ?? '') : () => undefined;
  const child = spawn(binary, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      TZ: 'IST-5:30',
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
  });
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints = `${complaints}${chunk}`.slice(-4000);
  });
  await accepts(port, child, () => complaints);
  return {
    port,
    port6,
    tlsPort: certificate === null ? 0 : tlsPort,
    logs,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(name === 'nginx' ? 'SIGQUIT' : 'SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
        await ended;
        clearTimeout(timer);
      }
      closeLog();
    },
  };
}

async function accepts(port: number, child: ChildProcess, complaints: () => string): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if (child.exitCode !== null) break;
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isUp) return;
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error(`The server did not start: ${complaints()}`);
}

async function syslogTo(port: number, path: string): Promise<() => void> {
  const file = createWriteStream(path, { flags: 'a' });
  const socket = createSocket('udp4');
  socket.on('message', (message) => file.write(Buffer.concat([message, Buffer.from('\n')])));
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve));
  return () => {
    socket.close();
    file.end();
  };
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly port6: number;
  readonly syslog: number;
  readonly tls: (Certificate & { readonly port: number }) | null;
}
interface Configuration {
  readonly config: string;
  readonly args: readonly string[];
  readonly logs: Readonly<Record<string, string>>;
}

/** What docs/tail-and-import.md gives to copy; a test compares. */
export const NGINX_LOG_FORMAT = `log_format ghostlight escape=json '{"time":"$time_iso8601","msec":"$msec","host":"$host",'
  '"remote_addr":"$remote_addr","method":"$request_method","uri":"$request_uri","status":"$status",'
  '"bytes":"$body_bytes_sent","referer":"$http_referer","ua":"$http_user_agent","request_id":"$request_id",'
  '"xff":"$http_x_forwarded_for","accept":"$http_accept","https":"$https",'
  '"signature_agent":"$http_signature_agent","signature_input":"$http_signature_input","signature":"$http_signature"}';`;

export const APACHE_LOG_FORMAT = `LogFormat "{\\"time\\":\\"%{%s}t.%{msec_frac}t\\",\\"host\\":\\"%{Host}i\\",\\"remote_addr\\":\\"%a\\",\\"request\\":\\"%r\\",\\
\\"status\\":\\"%>s\\",\\"bytes\\":\\"%B\\",\\"referer\\":\\"%{Referer}i\\",\\"ua\\":\\"%{User-Agent}i\\",\\
\\"request_id\\":\\"%{UNIQUE_ID}e\\",\\"xff\\":\\"%{X-Forwarded-For}i\\",\\"accept\\":\\"%{Accept}i\\",\\"https\\":\\"%{HTTPS}e\\",\\
\\"signature_agent\\":\\"%{Signature-Agent}i\\",\\"signature_input\\":\\"%{Signature-Input}i\\",\\
\\"signature\\":\\"%{Signature}i\\"}" ghostlight`;

const CONFIGURATIONS: Readonly<Record<ServerName, (place: Place) => Configuration>> = {
  nginx: ({ folder, port, port6, tls }) => ({
    args: ['-p', folder, '-c', join(folder, 'config'), '-e', join(folder, 'error.log'), '-g', 'daemon off;'],
    logs: {
      combined: join(folder, 'combined.log'),
      main: join(folder, 'main.log'),
      nginx_json: join(folder, 'json.log'),
    },
    config: `${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 64; }
http {
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  large_client_header_buffers 4 16k;
  log_format main '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" "$http_x_forwarded_for"';
  ${NGINX_LOG_FORMAT}
  access_log ${folder}/combined.log combined;
  access_log ${folder}/main.log main;
  access_log ${folder}/json.log ghostlight;
  server {
    listen 127.0.0.1:${port}; listen [::1]:${port6};
    ${tls === null ? '' : `listen 127.0.0.1:${tls.port} ssl; ssl_certificate ${tls.cert}; ssl_certificate_key ${tls.key};`}
    root ${folder}/www;
    merge_slashes off;
    location = /status/204 { return 204; } location = /status/301 { return 301 /page; } location = /status/404 { return 404; }
    location = /status/500 { return 500; } location = /status/503 { return 503; }
  }
}`,
  }),
  apache: ({ folder, port, port6, tls }) => ({
    args: ['-f', join(folder, 'config'), '-DFOREGROUND'],
    logs: {
      combined: join(folder, 'combined.log'),
      vhost_combined: join(folder, 'vhost.log'),
      common: join(folder, 'common.log'),
      apache_json: join(folder, 'json.log'),
    },
    config: `ServerRoot ${folder}
PidFile ${folder}/apache.pid
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
${['mpm_event', 'authz_core', 'alias', 'unique_id', ...(tls === null ? [] : ['ssl'])].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
Listen 127.0.0.1:${port}
Listen [::1]:${port6}
ServerName shop.example
DocumentRoot ${folder}/www
ErrorLog ${folder}/error.log
LogFormat "%h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"" combined
LogFormat "%v:%p %h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"" vhost_combined
LogFormat "%h %l %u %t \\"%r\\" %>s %b" common
${APACHE_LOG_FORMAT}
CustomLog ${folder}/combined.log combined
CustomLog ${folder}/vhost.log vhost_combined
CustomLog ${folder}/common.log common
CustomLog ${folder}/json.log ghostlight
Redirect 204 /status/204
Redirect 301 /status/301 /page
Redirect 404 /status/404
Redirect 500 /status/500
Redirect 503 /status/503
${tls === null ? '' : `Listen 127.0.0.1:${tls.port}\n<VirtualHost 127.0.0.1:${tls.port}>\nSSLEngine on\nSSLCertificateFile ${tls.cert}\nSSLCertificateKeyFile ${tls.key}\n</VirtualHost>\n`}`,
  }),
  caddy: ({ folder, port, port6, tls }) => ({
    args: ['run', '--config', join(folder, 'config'), '--adapter', 'caddyfile'],
    logs: { caddy: join(folder, 'caddy.log') },
    config: `{
  admin off
  auto_https off
}
(site) {
  log {
    output file ${folder}/caddy.log
  }
  respond /status/204 204
  redir /status/301 /page 301
  error /status/404 404
  error /status/500 "oops" 500
  error /status/503 "oops" 503
  root * ${folder}/www
  file_server
}
http://:${port}, http://:${port6} {
  import site
}
${tls === null ? '' : `https://:${tls.port} {\n  tls ${tls.cert} ${tls.key}\n  import site\n}`}
`,
  }),
  haproxy: ({ folder, port, port6, syslog, tls }) => ({
    args: ['-db', '-f', join(folder, 'config')],
    logs: { haproxy: join(folder, 'haproxy.log') },
    config: `global
  log 127.0.0.1:${syslog} len 16384 local0
  maxconn 64
  tune.http.logurilen 8192
defaults
  mode http
  log global
  option httplog
  timeout client 5s
  timeout server 5s
  timeout connect 5s
frontend www
  bind 127.0.0.1:${port}
  bind [::1]:${port6}
  ${tls === null ? '' : `bind 127.0.0.1:${tls.port} ssl crt ${tls.both}`}
  ${['Host', 'User-Agent', 'Referer', 'X-Forwarded-For', 'Signature', 'Signature-Input', 'Signature-Agent'].map((header) => `capture request header ${header} len 1024`).join('\n  ')}
  http-request return status 200 content-type text/html string "<h1>hello</h1>" if { path /page }
  http-request return status 200 if { path /empty }
  http-request redirect location /page code 301 if { path /status/301 }
  http-request return status 500 if { path /status/500 }
  http-request return status 503 if { path /status/503 }
  http-request return status 404
`,
  }),
};
