/** What builds and runs the image: Docker, or buildah and namespaces where there is no daemon. */
export interface Engine {
  readonly name: string;
  /** Builds the image of this repository. Not called when an image is given. */
  build(): Promise<void>;
  describe(): Promise<Description>;
  /**
   * Starts it as compose.yaml does: read-only, without capabilities, /tmp in memory.
   * @param data names the volume at /data; the same name is the same volume
   */
  run(words: readonly string[], data: string): Promise<Container>;
  /** Ends what still runs, and removes what it made. */
  dispose(): Promise<void>;
}

export interface Description {
  readonly user: string;
  readonly volumes: readonly string[];
  readonly stopSignal: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Uncompressed. */
  readonly bytes: number;
}

export interface Container {
  /** `http://127.0.0.1:…` of the port that the image exposes. */
  readonly address: string;
  /** Where a port that the container's log names is reached from here. */
  portFromHere(port: number): Promise<number>;
  /** Runs a command in it, as `docker exec` does. */
  execute(words: readonly string[]): Promise<Executed>;
  log(): Promise<string>;
  /** Whether it has ended by itself. */
  ended(): Promise<boolean>;
  /** SIGTERM; SIGKILL after 30 seconds. @returns the exit code and how long it took */
  stop(): Promise<{ readonly code: number; readonly ms: number }>;
}

export interface Executed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
