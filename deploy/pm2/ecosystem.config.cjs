// pm2 start deploy/pm2/ecosystem.config.cjs: the processes are one service, with one scrape and one health on port 8690.
// The token comes from the environment: UPKEEP_TOKEN=… pm2 start …
module.exports = {
  apps: [
    {
      name: 'orders',
      script: 'app.js',
      exec_mode: 'cluster',
      instances: 'max',
      node_args: '--import upkeep/auto',
      env: {
        NODE_ENV: 'production',
        PORT: '3000',
        UPKEEP_HOST: '127.0.0.1',
        UPKEEP_SHUTDOWN: 'graceful',
        UPKEEP_SHUTDOWN_DELAY: '5s',
        UPKEEP_SHUTDOWN_TIMEOUT: '20s',
      },
      // Longer than the delay and the timeout together; pm2 sends SIGKILL then.
      kill_timeout: 40_000,
    },
  ],
}
