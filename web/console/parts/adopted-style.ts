/**
 * Stands in for `react-style-singleton`, by which dialogs lock the page behind them. The original writes a <style>
 * element, which the content security policy stops; a sheet that script adopts is allowed.
 */
import { useEffect } from "react";

interface Styles {
  readonly styles: string;
}

export function styleSingleton() {
  return function AdoptedStyle({ styles }: Styles): null {
    useEffect(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      return () => {
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
      };
    }, [styles]);
    return null;
  };
}
