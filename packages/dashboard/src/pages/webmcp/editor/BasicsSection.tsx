import { type ReactNode, useEffect, useId, useRef } from 'react';
import { TextArea, TextInput } from '../../../parts/TextInput.tsx';
import type { EditedTool } from '../model/editor.ts';
import { atPart, type PlacedProblem } from '../model/problems.ts';

const MAX_NAME = 128;
const MAX_DESCRIPTION = 1024;

interface BasicsSectionProps {
  tool: EditedTool['tool'];
  fresh: boolean;
  problems: readonly PlacedProblem[];
  onTool: (tool: EditedTool['tool']) => void;
}

export function BasicsSection({ tool, fresh, problems, onTool }: BasicsSectionProps) {
  const { title, ...untitled } = tool;
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (fresh) name.current?.select();
  }, [fresh]);
  return (
    <ToolSection title="Basics" about="Agents choose a tool by its name and description.">
      <div className="pair">
        <TextInput
          label="Name"
          ref={name}
          code
          required
          maxLength={MAX_NAME}
          placeholder="search_products"
          hint="Letters, digits, underscores, hyphens and dots."
          value={tool.name}
          problem={atPart(problems, 'name')}
          onText={(text) => onTool({ ...tool, name: text })}
        />
        <TextInput
          label="Title"
          optional
          maxLength={MAX_NAME}
          placeholder="Search products"
          hint="Shown to people before they agree."
          value={title ?? ''}
          problem={atPart(problems, 'title')}
          onText={(text) => onTool(text === '' ? untitled : { ...untitled, title: text })}
        />
      </div>
      <TextArea
        label="Description"
        rows={3}
        maxLength={MAX_DESCRIPTION}
        note={<span className="number">{`${tool.description.length} / ${MAX_DESCRIPTION}`}</span>}
        placeholder="What it does, when to use it, what it returns, and what it does not do."
        value={tool.description}
        problem={atPart(problems, 'description')}
        onText={(description) => onTool({ ...tool, description })}
      />
    </ToolSection>
  );
}

interface ToolSectionProps {
  title: string;
  about: string;
  /** Shown at the right of the title. */
  aside?: ReactNode;
  children: ReactNode;
}

export function ToolSection({ title, about, aside, children }: ToolSectionProps) {
  const id = useId();
  return (
    <section className="tool-section" aria-labelledby={id}>
      <header>
        <div>
          <h3 id={id}>{title}</h3>
          <p className="quiet">{about}</p>
        </div>
        {aside}
      </header>
      {children}
    </section>
  );
}

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
      about="In the browser on a page of yours, on an MCP server, or both. If you leave both empty, agents use your first host’s home page."
    >
      <TextInput
        label="Page"
        optional
        code
        type="url"
        maxLength={MAX_URL}
        placeholder={`https://${hosts[0] ?? 'shop.example'}/search`}
        hint="The page of your site whose script offers this tool."
        value={page ?? ''}
        problem={atPart(problems, 'page')}
        onText={(text) => change({ page: text, endpoint: endpoint ?? '' })}
      />
      <TextInput
        label="MCP server"
        optional
        code
        type="url"
        maxLength={MAX_URL}
        placeholder="https://mcp.shop.example/mcp"
        hint="The address of the server that runs this tool. It may be on any host."
        value={endpoint ?? ''}
        problem={atPart(problems, 'endpoint')}
        onText={(text) => change({ page: page ?? '', endpoint: text })}
      />
    </ToolSection>
  );
}
