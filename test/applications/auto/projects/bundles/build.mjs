import esbuild from 'esbuild'
import webpack from 'webpack'

await esbuild.build({
  ...{ entryPoints: ['app.js'], outfile: 'dist/esbuild.js', platform: 'node' },
  ...{ bundle: true, minify: true, logLevel: 'error' },
})
await new Promise((resolve, reject) => {
  const output = { path: `${import.meta.dirname}/dist`, filename: 'webpack.js' }
  webpack({ entry: './app.js', target: 'node', mode: 'production', output }, (error, stats) => {
    if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString()))
    else resolve()
  })
})
