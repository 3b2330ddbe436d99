import { expect, test } from "vitest";
import { shownText } from "../../shared/shown-text.ts";
import { ArchivedEvent } from "./archived-event.tsx";

test("an old event's page says where the event is, and how it is read", () => {
  const text = shownText(
    <ArchivedEvent id="0198-event" environmentId="0198-sandbox" until="2026-03-31T22:00:00.000Z" />,
  );
  expect(text).toContain("This event is in the archive");
  expect(text).toContain("jara archive read --environment 0198-sandbox --id 0198-event");
  expect(text).toContain("from after 31 Mar 2026");
  expect(shownText(<ArchivedEvent id="a" environmentId="b" until={null} />)).not.toContain("from after");
});
