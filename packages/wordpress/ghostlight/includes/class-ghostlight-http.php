<?php
/**
 * Requests to the service.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * Redirects are never followed: the key would go wherever the answer says.
 */
final class Ghostlight_Http {

	const MAX_ANSWER = 65536;

	/**
	 * Asks for a document.
	 *
	 * @param string                $url       Whole.
	 * @param array<string, string> $headers   Of the request.
	 * @param int                   $timeout   Seconds.
	 * @param int                   $max_bytes Of the answer.
	 * @return array{status: int, body: string, etag: string, retry_after: string, error: string} Status 0: no answer.
	 */
	public static function get( $url, array $headers, $timeout, $max_bytes ) {
		return self::request(
			$url,
			array(
				'headers'             => $headers,
				'timeout'             => $timeout,
				'limit_response_size' => $max_bytes,
			)
		);
	}

	/**
	 * Posts lines of JSON.
	 *
	 * @param string $url     Whole.
	 * @param string $key     The ingest key.
	 * @param string $body    Lines.
	 * @param int    $timeout Seconds.
	 * @return array{status: int, body: string, etag: string, retry_after: string, error: string}
	 */
	public static function post( $url, $key, $body, $timeout ) {
		$headers = array(
			'Content-Type' => 'application/x-ndjson',
			'X-API-Key'    => $key,
		);
		$packed  = function_exists( 'gzencode' ) ? gzencode( $body, 6 ) : false;
		if ( false !== $packed ) {
			$body                        = $packed;
			$headers['Content-Encoding'] = 'gzip';
		}
		return self::request(
			$url,
			array(
				'method'              => 'POST',
				'headers'             => $headers,
				'body'                => $body,
				'timeout'             => $timeout,
				'limit_response_size' => self::MAX_ANSWER,
			)
		);
	}

	/**
	 * One request.
	 *
	 * @param string               $url       Whole.
	 * @param array<string, mixed> $arguments Of WordPress.
	 * @return array{status: int, body: string, etag: string, retry_after: string, error: string}
	 */
	private static function request( $url, array $arguments ) {
		$arguments += array(
			'redirection' => 0,
			'user-agent'  => 'Ghostlight-WordPress/' . GHOSTLIGHT_VERSION,
		);
		// The owner of a single site may run the service beside it. In a network the owner of one site must not reach the network's machines,
		// unless who owns the machine has written the address into wp-config.php.
		$may_be_local = ! is_multisite() || defined( 'GHOSTLIGHT_URL' );
		$answer       = $may_be_local ? wp_remote_request( $url, $arguments ) : wp_safe_remote_request( $url, $arguments );
		if ( is_wp_error( $answer ) ) {
			return array(
				'status'      => 0,
				'body'        => '',
				'etag'        => '',
				'retry_after' => '',
				'error'       => $answer->get_error_message(),
			);
		}
		$etag  = wp_remote_retrieve_header( $answer, 'etag' );
		$after = wp_remote_retrieve_header( $answer, 'retry-after' );
		return array(
			'status'      => (int) wp_remote_retrieve_response_code( $answer ),
			'body'        => (string) wp_remote_retrieve_body( $answer ),
			'etag'        => is_string( $etag ) && 1 === preg_match( '/^(?:W\/)?"[!#-+\--~]{0,200}"$/D', $etag ) ? $etag : '',
			'retry_after' => is_string( $after ) ? $after : '',
			'error'       => '',
		);
	}
}
