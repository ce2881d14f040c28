import { type RunningProxy, startProxy } from './proxy.ts'

/** nginx with a configuration as it would stand in conf.d; it is handed the port to listen on. */
export function startNginx(program: string, site: (port: number) => string): Promise<RunningProxy> {
  return startProxy(
    program,
    ({ folder, port }) => `
      daemon off;
      worker_processes 1;
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      pid ${folder}/nginx.pid;
      error_log stderr warn;
      events { worker_connections 256; }
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
          .map((of) => `${of}_temp_path ${folder}/${of};`)
          .join('\n')}
        ${site(port)}
      }`,
    ({ folder, file }) => ['-p', folder, '-e', 'stderr', '-c', file],
  )
}
