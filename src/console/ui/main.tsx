import 'uplot/dist/uPlot.min.css'
import './style.css'
import './parts.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { applyTheme } from './theme.tsx'

applyTheme()
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
