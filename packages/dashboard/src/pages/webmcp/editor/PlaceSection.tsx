import { TextInput } from '../../../parts/TextInput.tsx';
import type { EditedTool } from '../model/editor.ts';
import { atPart, type PlacedProblem } from '../model/problems.ts';
import { ToolSection } from './ToolSection.tsx';

const MAX_URL = 2048;

interface PlaceSectionProps {
  tool: EditedTool['tool'];
  hosts: readonly string[];
  problems: readonly PlacedProblem[];
  onTool: (tool: EditedTool['tool']) => void;
}

export function PlaceSection({ tool, hosts, problems, onTool }: PlaceSectionProps) {
  const { page, endpoint, ...rest } = tool;
  const change = (addresses: { page: string; endpoint: string }) =>
    onTool({
      ...rest,
      ...(addresses.page === '' ? {} : { page: addresses.page }),
      ...(addresses.endpoint === '' ? {} : { endpoint: addresses.endpoint }),
    });
  return (
    <ToolSection
      title="Where it is called"
      about="On a page that registers it in the browser, at an MCP server, or at both."
    >
      <TextInput
        label="Page"
        note="optional"
        code
        type="url"
        maxLength={MAX_URL}
        placeholder={`https://${hosts[0] ?? 'shop.example'}/search`}
        hint="An https address on one of the hosts, whose script registers a tool of this name. Without a page or a server: the root page of the first host."
        value={page ?? ''}
        problem={atPart(problems, 'page')}
        onText={(text) => change({ page: text, endpoint: endpoint ?? '' })}
      />
      <TextInput
        label="MCP server"
        note="optional"
        code
        type="url"
        maxLength={MAX_URL}
        placeholder="https://mcp.shop.example/mcp"
        hint="The https address of a server that speaks MCP. It may be on any host."
        value={endpoint ?? ''}
        problem={atPart(problems, 'endpoint')}
        onText={(text) => change({ page: page ?? '', endpoint: text })}
      />
    </ToolSection>
  );
}
