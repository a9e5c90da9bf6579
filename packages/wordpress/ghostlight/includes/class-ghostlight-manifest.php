<?php
/**
 * Serves the signed manifest of the site's tools at /.well-known/webmcp.json, as the service publishes it.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * Keeps a copy for one hour, and asks once a minute after an answer whether it is still the newest: a rotation of keys must arrive soon. While
 * the service can't be reached the copy is served until the manifest expires. Agents verify the signature; this plugin only passes it on.
 */
final class Ghostlight_Manifest {

	const PATH      = '/.well-known/webmcp.json';
	const OPTION    = 'ghostlight_manifest';
	const MAX_BYTES = 262144;
	const TIMEOUT   = 3;
	/** Seconds. */
	const FRESH        = 3600;
	const CHECK_EVERY  = 60;
	const BYPASS_EVERY = 30;

	/**
	 * Called when WordPress loads its plugins.
	 *
	 * @return void
	 */
	public static function register() {
		add_action( 'init', array( __CLASS__, 'serve' ), 1 );
	}

	/**
	 * Answers the request if it asks for the manifest; else WordPress does.
	 *
	 * @return void
	 */
	public static function serve() {
		// phpcs:disable WordPress.Security.ValidatedSanitizedInput -- Compared, and nothing else.
		$target = isset( $_SERVER['REQUEST_URI'] ) && is_string( $_SERVER['REQUEST_URI'] ) ? $_SERVER['REQUEST_URI'] : '';
		$method = isset( $_SERVER['REQUEST_METHOD'] ) ? $_SERVER['REQUEST_METHOD'] : '';
		$host   = isset( $_SERVER['HTTP_HOST'] ) && is_string( $_SERVER['HTTP_HOST'] ) ? $_SERVER['HTTP_HOST'] : '';
		$match  = isset( $_SERVER['HTTP_IF_NONE_MATCH'] ) && is_string( $_SERVER['HTTP_IF_NONE_MATCH'] ) ? $_SERVER['HTTP_IF_NONE_MATCH'] : '';
		$wish   = '';
		foreach ( array( 'HTTP_PRAGMA', 'HTTP_CACHE_CONTROL' ) as $name ) {
			$wish = isset( $_SERVER[ $name ] ) && is_string( $_SERVER[ $name ] ) ? $_SERVER[ $name ] : $wish;
		}
		// phpcs:enable
		if ( explode( '?', $target, 2 )[0] !== self::PATH || ! in_array( $method, array( 'GET', 'HEAD' ), true ) ) {
			return;
		}
		$passes_cache = in_array( 'no-cache', array_map( 'trim', explode( ',', strtolower( $wish ) ) ), true );
		$copy         = self::find( Ghostlight_Settings::get(), $passes_cache );
		$host         = Ghostlight_Url::without_dot( Ghostlight_Text::lower( (string) preg_replace( '/:\d+$/D', '', $host ) ) );
		// On another host it would verify nowhere: an agent compares the host that it asked with the list.
		if ( null === $copy || ! in_array( $host, $copy['hosts'], true ) ) {
			return;
		}
		self::send( $copy, $match, 'HEAD' === $method );
		exit;
	}

	/**
	 * Reads a manifest. Pure.
	 *
	 * @param string $text           As received.
	 * @param string $attribution_id Of the property.
	 * @param int    $now            Unix time.
	 * @return array{hosts: string[], expires: int}|null Null: it must not be served.
	 */
	public static function read( $text, $attribution_id, $now ) {
		if ( strlen( $text ) > self::MAX_BYTES ) {
			return null;
		}
		$body = json_decode( $text, true, 64 );
		if ( ! is_array( $body ) || ! isset( $body['attribution_id'], $body['signature'], $body['hosts'], $body['expires_at'] ) ) {
			return null;
		}
		if ( ! is_string( $body['attribution_id'] ) || strtolower( $body['attribution_id'] ) !== $attribution_id || ! is_string( $body['signature'] ) ) {
			return null;
		}
		$is_time = is_string( $body['expires_at'] ) && 1 === preg_match( '/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/D', $body['expires_at'] );
		$expires = $is_time ? strtotime( $body['expires_at'] ) : false;
		if ( false === $expires || $expires <= $now || ! is_array( $body['hosts'] ) || array_filter( $body['hosts'], 'is_string' ) !== $body['hosts'] ) {
			return null;
		}
		return array(
			'hosts'   => array_values( $body['hosts'] ),
			'expires' => $expires,
		);
	}

	/**
	 * The copy, else the service's manifest, else a copy that outlived its hour.
	 *
	 * @param Ghostlight_Settings $settings     Of this site.
	 * @param bool                $passes_cache Whether the agent asks for what the service has now.
	 * @return array<string, mixed>|null Null: there is none.
	 */
	private static function find( Ghostlight_Settings $settings, $passes_cache ) {
		$now    = time();
		$stored = get_option( self::OPTION );
		$source = $settings->url . ' ' . $settings->attribution_id;
		$stored = is_array( $stored ) && isset( $stored['source'] ) && $stored['source'] === $source ? $stored : null;
		$copy   = null !== $stored && isset( $stored['text'] ) && $stored['expires'] > $now ? $stored : null;
		$past   = $passes_cache && self::take_turn( 'bypass', self::BYPASS_EVERY );
		if ( ! $past && null !== $copy && $now - $copy['at'] < self::FRESH ) {
			if ( $now - $copy['at'] >= self::CHECK_EVERY && self::take_turn( 'turn', self::CHECK_EVERY ) ) {
				add_action(
					'shutdown',
					static function () use ( $settings, $copy ) {
						Ghostlight_Response::finish();
						self::ask( $settings, $copy );
					},
					PHP_INT_MAX
				);
			}
			$copy['state'] = 'HIT';
			return $copy;
		}
		// Without a copy, too, the service is asked by one request in a minute only, unless that has brought one.
		if ( ! $past && ! self::take_turn( 'turn', self::CHECK_EVERY ) ) {
			return self::stale( $copy );
		}
		$found = self::ask( $settings, null );
		if ( is_array( $found ) ) {
			$found['state'] = $past ? 'REVALIDATED' : 'MISS';
			return $found;
		}
		return false === $found ? null : self::stale( $copy );
	}

	/**
	 * A copy for an outage.
	 *
	 * @param array<string, mixed>|null $copy The copy.
	 * @return array<string, mixed>|null
	 */
	private static function stale( $copy ) {
		return null === $copy ? null : array( 'state' => 'STALE' ) + $copy;
	}

	/**
	 * Asks the service, and brings the copy in line with what it says.
	 *
	 * @param Ghostlight_Settings       $settings Of this site.
	 * @param array<string, mixed>|null $had      The copy that may still be the newest; null fetches whatever there is.
	 * @return array<string, mixed>|false|null The manifest; false: none is published; null: no usable answer.
	 */
	private static function ask( Ghostlight_Settings $settings, $had ) {
		$asked  = time();
		$url    = $settings->url . '/api/v1/webmcp/' . $settings->attribution_id . '/manifest/';
		/**
		 * The address of the published manifest, for a service whose dashboard has an address of its own.
		 *
		 * @param string $url Whole.
		 */
		$url    = (string) apply_filters( 'ghostlight_manifest_url', $url );
		$answer = Ghostlight_Http::get( $url, null === $had ? array() : array( 'If-None-Match' => $had['etag'] ), self::TIMEOUT, self::MAX_BYTES + 1 );
		if ( 304 === $answer['status'] && null !== $had ) {
			$had['at'] = $asked;
			unset( $had['state'] );
			update_option( self::OPTION, $had, false );
			return $had;
		}
		if ( 404 === $answer['status'] ) {
			update_option( self::OPTION, array(), false );
			return false;
		}
		$read = 200 === $answer['status'] ? self::read( $answer['body'], $settings->attribution_id, $asked ) : null;
		if ( null === $read ) {
			return null;
		}
		$copy = $read + array(
			'source' => $settings->url . ' ' . $settings->attribution_id,
			'text'   => $answer['body'],
			'etag'   => '' === $answer['etag'] ? '"' . substr( hash( 'sha256', $answer['body'] ), 0, 32 ) . '"' : $answer['etag'],
			'at'     => $asked,
		);
		update_option( self::OPTION, $copy, false );
		return $copy;
	}

	/**
	 * Lets one request in a while through.
	 *
	 * @param string $name    Of the turn.
	 * @param int    $seconds Until the next.
	 * @return bool
	 */
	private static function take_turn( $name, $seconds ) {
		if ( false !== get_transient( 'ghostlight_manifest_' . $name ) ) {
			return false;
		}
		return set_transient( 'ghostlight_manifest_' . $name, 1, $seconds );
	}

	/**
	 * Answers with a manifest.
	 *
	 * @param array<string, mixed> $copy    The manifest.
	 * @param string               $match   If-None-Match of the request.
	 * @param bool                 $is_head Whether only the head is wanted.
	 * @return void
	 */
	private static function send( array $copy, $match, $is_head ) {
		if ( ! defined( 'DONOTCACHEPAGE' ) ) {
			// Page caches of WordPress would keep it beyond a rotation of keys.
			define( 'DONOTCACHEPAGE', true ); // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedConstantFound -- The name that page caches look for.
		}
		header( 'Content-Type: application/json' );
		header( 'Cache-Control: public, max-age=3600' );
		header( 'Access-Control-Allow-Origin: *' );
		header( 'X-Content-Type-Options: nosniff' );
		header( 'ETag: ' . $copy['etag'] );
		header( 'X-WebMCP-Cache: ' . $copy['state'] );
		$plain = static function ( $tag ) {
			return preg_replace( '/^W\//', '', trim( $tag ) );
		};
		if ( '*' === trim( $match ) || in_array( $plain( $copy['etag'] ), array_map( $plain, explode( ',', $match ) ), true ) ) {
			status_header( 304 );
			return;
		}
		status_header( 200 );
		if ( ! $is_head ) {
			echo $copy['text']; // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- JSON that must keep its bytes, or its signature breaks.
		}
	}
}
