import { useEffect, useState } from 'preact/hooks'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const storageKey = 'upkeep-console theme'
const changed = 'themechange'

/** Applies the theme that was selected before. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = readTheme()
}

/** Selects light or dark colours, or those of the system. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(readTheme)
  const select = (selected: string) => {
    const next = themes.find((each) => each === selected) ?? 'system'
    setTheme(next)
    try {
      localStorage.setItem(storageKey, next)
    } catch {}
    document.documentElement.dataset['theme'] = next
    dispatchEvent(new Event(changed))
  }
  return (
    <label class="field">
      <span>Colours</span>
      <select value={theme} onChange={(event) => select(event.currentTarget.value)}>
        {themes.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Returns a number that changes with the colours, for what is drawn on a canvas. */
export function useThemeVersion(): number {
  const [version, setVersion] = useState(0)
  useEffect(() => {
    const next = () => setVersion((before) => before + 1)
    const system = matchMedia('(prefers-color-scheme: dark)')
    addEventListener(changed, next)
    system.addEventListener('change', next)
    return () => {
      removeEventListener(changed, next)
      system.removeEventListener('change', next)
    }
  }, [])
  return version
}

function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey)
    return themes.find((each) => each === stored) ?? 'system'
  } catch {
    return 'system'
  }
}
